'use client'

import { useSyncExternalStore } from 'react'

/** Whether nobody sees the tab: it lies behind another one, or its window is minimised. */
export function useIsHidden(): boolean {
  return useSyncExternalStore(subscribe, isHidden, () => false)
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function isHidden(): boolean {
  return document.hidden
}
