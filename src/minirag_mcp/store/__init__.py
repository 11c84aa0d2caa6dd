"""Where is it kept? The only room that knows SQL."""
