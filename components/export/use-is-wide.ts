'use client'

import { useSyncExternalStore } from 'react'

const WIDE = '(width >= 60rem)'

/** Whether the screen is a desk's, so that a dialog stands in its middle instead of at the lower edge. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    listen,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )
}

function listen(changed: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
