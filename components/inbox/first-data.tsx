'use client'

import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'

/**
 * Gives the browser what the server has read already. It comes as JSON in one text, which React hands on as it is instead of
 * value by value.
 */
export function FirstData({ json, children }: { json: string; children: ReactNode }) {
  const state = useMemo<DehydratedState>(() => JSON.parse(json), [json])
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>
}
