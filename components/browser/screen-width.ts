import { useSyncExternalStore } from 'react'

/** Whether the screen has two panes (`desk` in the style sheet), so that a dialog stands in its middle, not at the lower edge. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onWidthChange, isWide, () => true)
}

const WIDE = '(width >= 51.25rem)'

/** The same, asked once. */
export function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

function onWidthChange(changed: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
