/** The most ids that one request asks for: its address has to stay short. */
const MOST = 50;

/** Splits what is asked for by ids into parts, one for each request. */
export function splitForRequests<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / MOST) }, (_, at) => all.slice(at * MOST, (at + 1) * MOST));
}
