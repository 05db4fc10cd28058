// As bugs.cpp, for the graph API and recurrent networks.

PLANTED(leaks_descriptor) { Graph g; g.begin(); g.execute(g.plan(g.first())); g.made.pop_back(); g.destroy(); }
PLANTED(backend_not_finalised) { Graph g; g.begin(); g.execute(g.plan(g.first(), false)); g.destroy(); }
PLANTED(backend_not_finalised) { Graph g; g.begin(); g.operation(g.tensor(1), g.tensor(2, false, false)); g.destroy(); }
PLANTED(engine_support_unchecked) { Graph g; g.begin(true); g.plan(g.first()); g.destroy(); }
PLANTED(engine_support_unchecked) { Graph g; g.begin(true); Node engine = g.engine(); cudnnBackendFinalize(engine);
  Node config = g.config(engine); g.destroy(); }
PLANTED(plan_per_call) { Graph g; g.begin(); for (int i = 0; i < 3; ++i) g.execute(g.plan(g.first())); g.destroy(); }
PLANTED(graph_workspace_not_asked) { Graph g; g.begin(); void *space; cudaMalloc(&space, 4096);
  g.execute(g.plan(g.first()), space); cudaFree(space); g.destroy(); }
PLANTED(rnn_space_not_asked) { Recurrent r; r.describe(); cudnnGetRNNWeightSpaceSize(r.handle, r.rnn, &r.weight_bytes);
  r.work_bytes = 16 << 20; r.allocate(); r.forward(CUDNN_FWD_MODE_INFERENCE); r.destroy(); }
PLANTED(rnn_space_not_asked) { Recurrent r; r.describe(); r.weight_bytes = Recurrent::kWeights;
  cudnnGetRNNTempSpaceSizes(r.handle, r.rnn, r.asked, r.data, &r.work_bytes, &r.reserve_bytes); r.allocate();
  r.forward(); r.destroy(); }
PLANTED(rnn_reserve_missing) { Recurrent r; r.asked = CUDNN_FWD_MODE_INFERENCE; r.begin(); r.forward(); r.destroy(); }
PLANTED(rnn_reserve_missing) { Recurrent r; r.begin(); char *reserve = r.reserve; r.reserve = nullptr; r.forward();
  r.reserve = reserve; r.destroy(); }
PLANTED(rnn_backward_order) { Recurrent r; r.begin(); r.forward(); r.backward_weights(); r.backward_data(); r.destroy(); }
PLANTED(rnn_gradient_not_cleared) { Recurrent r; r.begin(false); r.forward(); r.backward_data(); r.backward_weights();
  r.destroy(); }
PLANTED(rnn_offsets_assumed) { Recurrent r; r.begin(); std::vector<float> ones(64, 1.0f);
  cudaMemcpy(r.weights, ones.data(), 256, cudaMemcpyHostToDevice);
  cudaMemcpy(r.weights + 256, ones.data(), 64, cudaMemcpyHostToDevice); r.forward(); r.destroy(); }
PLANTED(status_ignored) { Graph g; g.begin(); Node bad = g.create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  cudnnBackendFinalize(bad); g.operation(bad, g.tensor(2)); g.destroy(); }
PLANTED(status_ignored) { Graph g; g.begin(); g.ids = {1, 7}; g.execute(g.plan(g.first())); std::vector<float> out(128);
  cudaMemcpy(g.y, out.data(), 512, cudaMemcpyHostToDevice);
  cudaMemcpy(out.data(), g.y, 512, cudaMemcpyDeviceToHost); g.destroy(); }
