'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { type PrefetchedAnswer, seedQueryCache } from '@/lib/api/prefetched-answer'

/** Gives the browser what the server has read. One JSON text, because React would pass it on value by value. */
export function PrefetchedData({ json, children }: { json: string; children: ReactNode }) {
  const client = useQueryClient()
  const answers = useMemo(() => {
    const read: readonly PrefetchedAnswer[] = JSON.parse(json)
    for (const answer of read) if (client.getQueryData(answer.key) === undefined) seedQueryCache(client, answer)
    return read
  }, [client, json])
  // Data that was cached before may be on screen, so it changes only after this rendering.
  useEffect(() => answers.forEach((answer) => seedQueryCache(client, answer)), [client, answers])
  return children
}
