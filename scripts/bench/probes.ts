import { quantile } from './measure'

type ProbesOptions = { ask: (path: string) => Promise<number>; now: () => number; giveUpMs: number }

export type ProbeFigures = { path: string; asked: number; p95Ms: number; refused: number; failed: number }

type Probe = { startedAt: number; ms: number | null; status: number | null }

/** How long other requests wait. A refused one counts as given up, one still waiting with its time so far. */
export function createProbes(paths: readonly string[], { ask, now, giveUpMs }: ProbesOptions) {
  const probes = new Map(paths.map((path) => [path, [] as Probe[]]))
  const waitsOf = (counted: readonly Probe[]) => counted.map(({ ms, startedAt }) => ms ?? now() - startedAt)
  const send = async (path: string, counted: Probe[]) => {
    const probe: Probe = { startedAt: now(), ms: null, status: null }
    counted.push(probe)
    probe.status = await ask(path)
    const ms = now() - probe.startedAt
    probe.ms = probe.status === 200 ? ms : Math.max(ms, giveUpMs)
  }
  return {
    /** Decided when it is sent, or the slowest would be left out. */
    send: (isCounting: boolean): void => {
      for (const [path, counted] of probes) void send(path, isCounting ? counted : [])
    },
    figures: (): ProbeFigures[] =>
      Array.from(probes, ([path, counted]) => ({
        path,
        asked: counted.length,
        p95Ms: quantile(waitsOf(counted), 0.95),
        refused: counted.filter(({ status }) => status === 503).length,
        failed: counted.filter(({ status }) => status !== null && status !== 503 && status !== 200).length,
      })),
  }
}
