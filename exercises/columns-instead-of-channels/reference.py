"""One shift for each channel."""


def reference(inputs, parameters):
    return {"y": inputs["y"] + inputs["bias"][None, :, None, None]}
