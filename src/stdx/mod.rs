//! What the standard library could have had: it knows nothing of content.
