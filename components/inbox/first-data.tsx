'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'

/** What the server has read already, by the key under which the browser would ask for it; `at` in ms. */
export type FirstAnswer = { key: readonly unknown[]; data: unknown; at: number }

/**
 * Gives the browser what the server has read already. It comes as JSON in one text, which React hands on as it is instead of
 * value by value.
 */
export function FirstData({ json, children }: { json: string; children: ReactNode }) {
  const client = useQueryClient()
  const answers = useMemo(() => {
    const read: readonly FirstAnswer[] = JSON.parse(json)
    for (const answer of read) if (client.getQueryData(answer.key) === undefined) give(client, answer)
    return read
  }, [client, json])
  // What was there already may be on screen: that changes only after this rendering.
  useEffect(() => answers.forEach((answer) => give(client, answer)), [client, answers])
  return children
}

function give(client: QueryClient, { key, data, at }: FirstAnswer): void {
  if ((client.getQueryState(key)?.dataUpdatedAt ?? 0) < at) client.setQueryData(key, data, { updatedAt: at })
}
