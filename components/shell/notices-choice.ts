const KEY = 'intag:notices'
const CHANGED = 'intag:notices-changed'

/** Whether this browser tells of new leads while nobody looks: chosen here, and still allowed. */
export function noticesAreOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'
}

export function chooseNotices(isOn: boolean): void {
  if (isOn) localStorage.setItem(KEY, 'on')
  else localStorage.removeItem(KEY)
  window.dispatchEvent(new Event(CHANGED))
}

export function onNoticesChoice(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('storage', listener)
  }
}
