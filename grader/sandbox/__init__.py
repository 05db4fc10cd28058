"""The jail around untrusted programs: policy, limits, supervision, and the pool of sandboxes made ahead."""
