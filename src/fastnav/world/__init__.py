"""Where one can stand and what one sees there: immutable tables, and pure batched look-ups in them."""
