interface QuotaBody<Value> {
  readonly max_test_runs?: Value;
  readonly max_test_runs_a_day?: Value;
  readonly max_submissions?: Value;
  readonly max_uploads_a_day?: Value;
}

/** Converts the quota fields of a request body to those of simulation's messages; absent fields are undefined. */
export const quotaRequest = <Value>(body: QuotaBody<Value>) => ({
  maxTestRuns: body.max_test_runs,
  maxTestRunsADay: body.max_test_runs_a_day,
  maxSubmissions: body.max_submissions,
  maxUploadsADay: body.max_uploads_a_day,
});
