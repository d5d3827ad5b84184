/** The parts of jstat (without types of its own) that intervals.ts uses. */
declare module 'jstat' {
  interface Distribution<Parameters extends number[]> {
    cdf(value: number, ...parameters: Parameters): number;
    inv(probability: number, ...parameters: Parameters): number;
  }
  const jstat: {
    readonly studentt: Distribution<[degreesOfFreedom: number]>;
    readonly normal: Distribution<[mean: number, deviation: number]>;
  };
  // biome-ignore lint/style/noDefaultExport: jstat is a CommonJS module.
  export default jstat;
}
