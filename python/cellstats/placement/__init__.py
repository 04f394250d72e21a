"""Which thread sits where: patterns of messages, affinities, and the placement that is best."""
