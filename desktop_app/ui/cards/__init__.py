"""Cards that stand where an answer would be. They know no controller and no transcript."""
