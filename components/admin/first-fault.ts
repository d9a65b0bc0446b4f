import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * For a form that was sent with something wrong in it: `show` brings the first wrong field into view and gives it the focus,
 * once the fault is on screen. A field is wrong by `aria-invalid`, a group of fields by `data-invalid`.
 */
export function useFirstFault(): { form: RefObject<HTMLFormElement | null>; show: () => void } {
  const form = useRef<HTMLFormElement>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
    if (times === 0 || !wrong) return
    const field = wrong.matches('[data-invalid]') ? firstOf(wrong) : wrong
    field?.focus()
    wrong.scrollIntoView({ block: 'nearest' })
  }, [times])
  return { form, show: () => setTimes((now) => now + 1) }
}

/** What is to be filled in: before the choices between kinds of answer. */
function firstOf(group: HTMLElement): HTMLElement | null {
  return (
    group.querySelector<HTMLElement>('input:not([type=radio])') ?? group.querySelector<HTMLElement>('input:checked')
  )
}
