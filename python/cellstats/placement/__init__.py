"""Placement of threads on SPEs: message patterns, affinities, and the search for the best
placement.
"""
