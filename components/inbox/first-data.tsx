'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { type FirstAnswer, giveFirst } from '@/lib/api/first-answer'

/** Gives the browser what the server has read. One JSON text, because React would pass it on value by value. */
export function FirstData({ json, children }: { json: string; children: ReactNode }) {
  const client = useQueryClient()
  const answers = useMemo(() => {
    const read: readonly FirstAnswer[] = JSON.parse(json)
    for (const answer of read) if (client.getQueryData(answer.key) === undefined) giveFirst(client, answer)
    return read
  }, [client, json])
  // Data that was cached before may be on screen, so it changes only after this rendering.
  useEffect(() => answers.forEach((answer) => giveFirst(client, answer)), [client, answers])
  return children
}
