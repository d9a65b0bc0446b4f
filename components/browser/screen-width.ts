import { useSyncExternalStore } from 'react'

/** Whether the screen is a desk's, so that a dialog stands in its middle instead of at the lower edge. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onWidthChange, isWide, () => true)
}

const WIDE = '(width >= 60rem)'

/** The same, asked once. */
export function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

function onWidthChange(changed: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
