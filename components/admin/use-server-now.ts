import { useNow } from '@/components/shell/use-now'

/** The server's clock (ms), ticking: what it said with the data, and the time that has passed here since. */
export function useServerNow(at: string, receivedAtMs: number): number {
  const now = useNow()
  return Date.parse(at) + (now === null ? 0 : Math.max(0, now - receivedAtMs))
}
