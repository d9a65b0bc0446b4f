const KEY = 'intag:notices'
const CHANGED = 'intag:notices-changed'

/** Whether notices were chosen in this browser, and are still allowed. */
export function noticesAreOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'
}

/** Remembers the choice for this browser. */
export function chooseNotices(isOn: boolean): void {
  if (isOn) localStorage.setItem(KEY, 'on')
  else localStorage.removeItem(KEY)
  window.dispatchEvent(new Event(CHANGED))
}

/** Calls back when the choice changes, in another tab too. */
export function onNoticesChoice(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('storage', listener)
  }
}
