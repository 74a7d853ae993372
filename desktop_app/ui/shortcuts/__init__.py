"""Which keys lead to which action: the platform's, the user's, those that are fixed, and what can't be taken."""
