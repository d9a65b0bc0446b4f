import type { FeedReport, ListReport } from '@/lib/contract/feed-report'

/** How a list fares, worst first. */
const healths = ['failing', 'waiting', 'setAside', 'healthy'] as const
export type Health = (typeof healths)[number]

export function listHealth({ problem, fetchedAt, setAside }: ListReport): Health {
  if (problem !== null) return 'failing'
  if (fetchedAt === null) return 'waiting'
  return setAside.total > 0 ? 'setAside' : 'healthy'
}

/** All lists in one word, and how many lists fail or how many records are set aside. */
export function verdict(lists: FeedReport['lists']): { health: Health; count: number } {
  const reports = Object.values(lists)
  const found = reports.map(listHealth)
  const health = healths.find((one) => found.includes(one)) ?? 'healthy'
  if (health === 'setAside') return { health, count: reports.reduce((sum, { setAside }) => sum + setAside.total, 0) }
  return { health, count: found.filter((one) => one === health).length }
}
