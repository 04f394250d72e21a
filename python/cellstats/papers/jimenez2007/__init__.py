"""Jiménez-González, Martorell, Ramírez: Performance Analysis of Cell BE, ISPASS 2007."""
