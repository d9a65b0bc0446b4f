'use client'

import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Whether the browser has a network. Without one nothing is asked, so nothing fails either: this is what tells. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(onNetworkChange, isOnline, () => true)
}

const onNetworkChange = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()
