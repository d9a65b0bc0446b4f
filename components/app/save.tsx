import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { holdForm } from '@/components/ui/unsaved-work'
import { Button } from '@/components/ui/button'
import { ConfirmDialog, type ConfirmProps, DialogButton, FormFrame } from '@/components/ui/dialog'
import { CardHeading } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import type { EndpointName } from '@/lib/contract/endpoints'

type FieldErrors = { readonly [field: string]: string | null | undefined }

type Saving<Values, Answer> = {
  send: (given: Values) => Promise<Answer>
  /** Shown in a toast when it is saved. */
  done?: string | ((answer: Answer, given: Values) => string | null)
  /** Shown when it is not saved, if it is more than that; in a form, an object names the fields that the server refuses. Null shows nothing. */
  failed?: (error: Error, given: Values) => string | FieldErrors | null | undefined
  /** What is outdated afterwards, saved or not: this endpoint and all below it. */
  refresh?: EndpointName | 'all'
  /** The toast and `onSaved` wait for the refresh: the pressed button may be gone by then. */
  refreshFirst?: true
  /** Runs before it is sent, to show it as saved already. */
  onSend?: (given: Values) => void
  onSaved?: (answer: Answer, given: Values) => void
}

/** Sends a change and says in a toast how that went. A second change waits for the first; without a network it fails at once. */
export function useSave<Given = void, Answer = unknown>(saving: Saving<Given, Answer>) {
  return useSending(saving, (failure) => {
    if (typeof failure === 'string') toast(failure, { tone: 'error' })
  })
}

type FormSaving<Given, Answer> = Saving<Given, Answer> & {
  values: Given
  /** Errors of the current values; shown from the first try to save, which focuses the first wrong field. */
  errors?: FieldErrors
}

/** `form` belongs on the `<form>`, `errorOf` is the error of a field, `problem` why saving failed. */
export function useSaveForm<Given, Answer>({ values, errors, ...saving }: FormSaving<Given, Answer>) {
  const [isTried, setTried] = useState(false)
  const { changed, savedAs } = useUnsavedForm(values)
  const onSaved = (answer: Answer, given: Given) => (savedAs(given), saving.onSaved?.(answer, given))
  const { failure, ...sending } = useSending({ ...saving, onSaved })
  const { form: ref, show } = useFocusFirstError(sending.error)
  const refused = typeof failure === 'object' && failure !== null ? failure : {}
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.values(errors ?? {}).some((fault) => fault)) show()
    else sending.save(values)
  }
  return {
    ...sending,
    form: { ref, onSubmit, noValidate: errors !== undefined, ...changed },
    problem: typeof failure === 'string' ? failure : null,
    errorOf: (field: string) => (isTried ? errors?.[field] : null) ?? refused[field] ?? undefined,
  }
}

/** Whether the user has changed values that are not saved: then leaving the form asks first. */
function useUnsavedForm(values: unknown) {
  const now = JSON.stringify(values)
  const [saved, setSaved] = useState(now)
  const [isTouched, setTouched] = useState(false)
  if (!isTouched && saved !== now) setSaved(now)
  const isUnsaved = isTouched && saved !== now
  const release = useRef(() => {})
  useEffect(() => {
    if (isUnsaved) release.current = holdForm()
    return () => release.current()
  }, [isUnsaved])
  const touch = () => setTouched(true)
  return {
    changed: { onInput: touch, onClick: touch, 'data-unsaved': isUnsaved || undefined },
    savedAs: (given: unknown) => {
      const isAll = JSON.stringify(given) === now
      setSaved(JSON.stringify(given))
      setTouched(!isAll)
      // At once: what follows may be another screen.
      if (isAll) release.current()
    },
  }
}

/** What a `Confirm` does, and how it goes. */
export function useConfirmed<Answer>(saving: Saving<void, Answer>) {
  const { save, busy, failure } = useSending(saving)
  return { onYes: () => save(), busy, problem: typeof failure === 'string' ? failure : null }
}

type Asked<Answer> = {
  ask: Pick<ConfirmProps, 'text' | 'yes' | 'no'> & { title: string }
  saving: Saving<void, Answer>
}

/** A button that asks before it sends. */
export function ConfirmButton<Answer>({ ask, saving, ...button }: Asked<Answer> & ComponentProps<typeof Button>) {
  return <DialogButton {...button} dialog={(close) => <Asking ask={ask} saving={saving} onClose={close} />} />
}

function Asking<Answer>({ ask, saving, onClose }: Asked<Answer> & { onClose: () => void }) {
  const { onSaved } = saving
  const confirmed = useConfirmed({ ...saving, onSaved: (answer, given) => (onClose(), onSaved?.(answer, given)) })
  return <ConfirmDialog {...ask} {...confirmed} onNo={onClose} />
}

function useSending<Given, Answer>(
  { send, done, failed, refresh, refreshFirst, onSend, onSaved }: Saving<Given, Answer>,
  onFailed?: (failure: string | FieldErrors | null) => void,
) {
  const client = useQueryClient()
  const refetch = async () => {
    if (refresh === undefined) return
    const isBelow = (name: unknown) => refresh === 'all' || String(name).startsWith(refresh)
    await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isBelow(name) })
  }
  const common = useTranslations('common')
  const failureOf = (error: Error, given: Given) => {
    const failure = failed?.(error, given)
    return failure === undefined ? common('failed') : failure
  }
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: send,
    networkMode: 'always',
    scope: { id: useId() },
    onMutate: (given) => onSend?.(given),
    onSuccess: async (answer, given) => {
      const isShown = refetch()
      if (refreshFirst) await isShown
      const message = typeof done === 'function' ? done(answer, given) : done
      if (message) toast(message)
      onSaved?.(answer, given)
      // Busy until refreshed, so that a second press does not meet a removed row; refreshing everything takes too long.
      if (refresh !== 'all') await isShown
    },
    onError: (cause, given) => {
      onFailed?.(failureOf(cause, given))
      void refetch()
    },
  })
  // `variables` is set whenever there is an error.
  const failure = error === null ? null : failureOf(error, variables as Given)
  return { save: mutate, busy: isPending, error, answer: data, failure }
}

/**
 * `show` focuses the first wrong field of a form once its error is on screen; so does each new `error`.
 * A field is wrong by `aria-invalid`, a group of fields by `data-invalid`.
 */
function useFocusFirstError(error: Error | null) {
  const form = useRef<HTMLFormElement>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
    if ((times === 0 && error === null) || !wrong) return
    const field = wrong.matches('[data-invalid]') ? firstField(wrong) : wrong
    field?.focus()
    wrong.scrollIntoView({ block: 'nearest' })
  }, [times, error])
  return { form, show: () => setTimes((now) => now + 1) }
}

/** The field to fill in, rather than the radio buttons that choose a kind of answer. */
function firstField(group: HTMLElement): HTMLElement | null {
  return (
    group.querySelector<HTMLElement>('input:not([type=radio])') ?? group.querySelector<HTMLElement>('input:checked')
  )
}

type SaveFormProps = {
  saving: { form: ComponentProps<'form'>; busy: boolean; problem: string | null }
  /** What the button says; "save" unless it says otherwise. */
  save?: string | undefined
  disabled?: boolean
  children: ReactNode
}

type DialogFormProps = SaveFormProps & {
  isDangerous?: boolean
  onClose?: () => void
  other?: ReactNode
}

export function DialogForm({ saving, save, isDangerous, disabled, onClose, other, children }: DialogFormProps) {
  const common = useTranslations('common')
  const { form, busy, problem } = saving
  return (
    <form {...form} className="flex min-h-0 flex-col">
      <FormFrame
        problem={problem}
        actions={
          <>
            {other ?? <Button text={common('cancel')} onClick={onClose} />}
            <Button
              text={save ?? common('save')}
              type="submit"
              variant={isDangerous ? 'danger' : 'primary'}
              busy={busy}
              disabled={disabled}
            />
          </>
        }
      >
        {children}
      </FormFrame>
    </form>
  )
}

export function SettingsForm({ saving, title, lead, save, disabled, isWide, id, children }: SettingsFormProps) {
  const common = useTranslations('common')
  const titleId = useId()
  const { form, busy, problem } = saving
  return (
    <form
      id={id}
      aria-labelledby={titleId}
      {...form}
      className={`rounded-lg border border-line bg-panel shadow-card ${isWide ? '' : 'max-w-2xl'}`}
    >
      <CardHeading id={titleId} title={title} hint={lead} className="border-b border-line-soft px-4 pt-4 pb-3" />
      {children}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
        <ProblemText text={problem} className="min-w-0 flex-1 basis-60" />
        <Button text={save ?? common('save')} variant="primary" type="submit" busy={busy} disabled={disabled} />
      </div>
    </form>
  )
}

type SettingsFormProps = SaveFormProps & { title: string; lead: string; isWide?: boolean; id?: string }
