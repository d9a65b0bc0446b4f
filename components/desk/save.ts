import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/api/send'
import type { EndpointName } from '@/lib/contract/endpoints'

/** What is wrong with a form, by field. */
type Faults = { readonly [field: string]: string | null | undefined }

type Saving<Given, Answer> = {
  send: (given: Given) => Promise<Answer>
  /** Shown in a toast when it is saved. */
  done?: string | ((answer: Answer, given: Given) => string | null)
  /** Shown when it is not saved; in a form, an object names the fields that the server refuses. Null shows nothing. */
  failed: string | ((error: Error, given: Given) => string | Faults | null)
  /** What is outdated afterwards, saved or not: this endpoint and all below it. */
  refresh?: EndpointName | 'all'
  /** It is said, and `onSaved` runs, when the screen shows it: what was pressed may be gone by then. */
  refreshFirst?: true
  /** Runs before it is sent, to show it as saved already. */
  onSend?: (given: Given) => void
  onSaved?: (answer: Answer, given: Given) => void
}

/** Sends a change and says in a toast how that went. A second change waits for the first; without a network it fails at once. */
export function useSave<Given = void, Answer = unknown>(saving: Saving<Given, Answer>) {
  return useSending(saving, (failure) => {
    if (typeof failure === 'string') toast(failure, { tone: 'error' })
  })
}

type FormSaving<Given, Answer> = Saving<Given, Answer> & {
  /** What the form says now. */
  given: Given
  /** What is wrong with it now; shown from the first try to save, when the first wrong field gets the focus. */
  faults?: Faults
}

/** The same for a form: `form` belongs on the `<form>`, `at` says what is wrong with a field, `problem` why it is not saved. */
export function useSaveForm<Given, Answer>({ given, faults, ...saving }: FormSaving<Given, Answer>) {
  const [isTried, setTried] = useState(false)
  const { failure, ...sending } = useSending(saving)
  const { form: ref, show } = useFirstFault(sending.error)
  const refused = typeof failure === 'object' && failure !== null ? failure : {}
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.values(faults ?? {}).some((fault) => fault)) show()
    else sending.save(given)
  }
  return {
    ...sending,
    form: { ref, onSubmit, noValidate: faults !== undefined },
    problem: typeof failure === 'string' ? failure : null,
    at: (field: string) => (isTried ? faults?.[field] : null) ?? refused[field] ?? undefined,
  }
}

/** The same for a question: what it answers belongs in a `ConfirmDialog`, which shows why it could not be done. */
export function useConfirmed<Answer>(saving: Saving<void, Answer>) {
  const { save, busy, failure } = useSending(saving)
  return { onYes: () => save(), busy, problem: typeof failure === 'string' ? failure : null }
}

/** Whether the server refused with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

function useSending<Given, Answer>(
  { send, done, failed, refresh, refreshFirst, onSend, onSaved }: Saving<Given, Answer>,
  onFailed?: (failure: string | Faults | null) => void,
) {
  const client = useQueryClient()
  const refreshed = async () => {
    if (refresh === undefined) return
    const isBelow = (name: unknown) => refresh === 'all' || String(name).startsWith(refresh)
    await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isBelow(name) })
  }
  const failureOf = (error: Error, given: Given) => (typeof failed === 'string' ? failed : failed(error, given))
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: send,
    networkMode: 'always',
    scope: { id: useId() },
    onMutate: (given) => onSend?.(given),
    onSuccess: async (answer, given) => {
      const isShown = refreshed()
      if (refreshFirst) await isShown
      const said = typeof done === 'function' ? done(answer, given) : done
      if (said) toast(said)
      onSaved?.(answer, given)
      // A second press would meet what is gone; to wait for all there is takes too long.
      if (refresh !== 'all') await isShown
    },
    onError: (cause, given) => {
      onFailed?.(failureOf(cause, given))
      void refreshed()
    },
  })
  // What was given is known whenever there is an error.
  const failure = error === null ? null : failureOf(error, variables as Given)
  return { save: mutate, busy: isPending, error, answer: data, failure }
}

/**
 * `show` gives the focus to the first wrong field of a form, once the fault is on screen; so does each new `error`.
 * A field is wrong by `aria-invalid`, a group of fields by `data-invalid`.
 */
export function useFirstFault(error: Error | null = null): {
  form: RefObject<HTMLFormElement | null>
  show: () => void
} {
  const form = useRef<HTMLFormElement>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
    if ((times === 0 && error === null) || !wrong) return
    const field = wrong.matches('[data-invalid]') ? firstOf(wrong) : wrong
    field?.focus()
    wrong.scrollIntoView({ block: 'nearest' })
  }, [times, error])
  return { form, show: () => setTimes((now) => now + 1) }
}

/** What is to be filled in: before the choices between kinds of answer. */
function firstOf(group: HTMLElement): HTMLElement | null {
  return (
    group.querySelector<HTMLElement>('input:not([type=radio])') ?? group.querySelector<HTMLElement>('input:checked')
  )
}
