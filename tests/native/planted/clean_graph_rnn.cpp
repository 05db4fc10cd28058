// As clean.cpp, for the graph API and recurrent networks.

CLEAN(one_plan_many_runs) { Graph g; g.begin(); Node plan = g.plan(g.first()); void *space = nullptr;
  if (g.ask(plan)) CHECK(cudaMalloc(&space, g.ask(plan))); for (int i = 0; i < 4; ++i) g.execute(plan, space);
  if (space) cudaFree(space); g.destroy(); }
CLEAN(graph_output_used_with_beta) { Graph g; g.begin(); g.execute(g.plan(g.first())); cudnnTensorDescriptor_t d;
  cudnnCreateTensorDescriptor(&d); cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 8, 4, 4);
  const float one = 1; CHECK(cudnnTransformTensor(g.handle, &one, d, g.x, &one, d, g.y));
  cudnnDestroyTensorDescriptor(d); g.destroy(); }
CLEAN(engine_tried_and_left) { Graph g; g.begin(true); if (cudnnBackendFinalize(g.engine()) == CUDNN_STATUS_SUCCESS)
  std::printf("failed to be refused"); g.destroy(); }
CLEAN(two_plans_compared) { Graph g; g.begin(); Node engine = g.engine(); cudnnBackendFinalize(engine);
  Node config = g.config(engine); cudnnBackendFinalize(config); g.execute(g.plan(g.first())); g.execute(g.plan(config));
  g.destroy(); }
CLEAN(training_step) { Recurrent r; r.begin(); r.fill(); CHECK(r.forward()); CHECK(r.backward_data());
  CHECK(r.backward_weights()); r.destroy(); }
CLEAN(inference) { Recurrent r; r.asked = CUDNN_FWD_MODE_INFERENCE; r.begin(); CHECK(r.forward(CUDNN_FWD_MODE_INFERENCE));
  r.destroy(); }
CLEAN(saved_weights_put_back) { Recurrent r; r.begin(); std::vector<char> saved(r.weight_bytes);
  CHECK(cudaMemcpy(r.weights, saved.data(), saved.size(), cudaMemcpyHostToDevice)); CHECK(r.forward()); r.destroy(); }
