import type { LeadPageOptions } from '@/lib/api/lead-page'

const PASSING_MS = 60

/** The same query, asked only once its rows have stayed on screen: scrolling past a thousand pages asks for none of them. */
export function settledQuery(options: LeadPageOptions): LeadPageOptions {
  return {
    queryKey: options.queryKey,
    queryFn: async (context) => {
      await settle(context.signal)
      return options.queryFn(context)
    },
  }
}

function settle(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PASSING_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
