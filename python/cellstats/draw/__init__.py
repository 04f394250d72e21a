"""Pictures. All of it needs matplotlib, which is loaded when something is drawn."""
