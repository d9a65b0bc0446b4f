import { addDays } from '@/lib/time/stockholm'

// Apart from `work-settings.ts`, whose schemas no browser is sent.

/** One's own leave ends within a year: whoever is away longer says so again, or an administrator does. */
export function latestReturn(today: string): string {
  return addDays(today, 365)
}
