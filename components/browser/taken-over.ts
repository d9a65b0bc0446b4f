import { useSyncExternalStore } from 'react'

/** Whether the browser has taken over from the server: what is drawn only then is in no HTML, and no first script. */
export function useIsTakenOver(): boolean {
  return useSyncExternalStore(never, isTrue, isFalse)
}

const never = () => () => {}
const isTrue = () => true
const isFalse = () => false
