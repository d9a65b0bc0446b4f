import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog, type ConfirmProps, DialogButton, FormFrame } from '@/components/ui/dialog'
import { CardHeading } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { registerUnsavedForm } from '@/components/ui/unsaved-work'
import type { EndpointName } from '@/lib/contract/endpoints'

type FieldErrors = { readonly [field: string]: string | null | undefined }

type SaveOptions<Values, Answer> = {
  send: (values: Values) => Promise<Answer>
  successMessage?: string | ((answer: Answer, values: Values) => string | null)
  /** What a failure shows: a text, errors by field, null for nothing, or undefined for the common text. */
  failureMessage?: (error: Error, values: Values) => string | FieldErrors | null | undefined
  /** The queries of this endpoint, and of all below its path, are invalidated whether or not saving succeeds. */
  invalidate?: EndpointName | 'all'
  /** The toast and `onSaved` wait for the refetch, because the pressed button may disappear with it. */
  waitForRefetch?: true
  onSaved?: (answer: Answer, values: Values) => void
}

/** Sends a change; a toast says how it went. A second one waits for the first; without a network it fails at once. */
export function useSave<Values = void, Answer = unknown>(saving: SaveOptions<Values, Answer>) {
  return useSaveMutation(saving, (problem) => toast(problem, { tone: 'error' }))
}

type SaveFormOptions<Values, Answer> = SaveOptions<Values, Answer> & {
  values: Values
  /** Errors of the current values; shown from the first try to save, which focuses the first wrong field. */
  errors?: FieldErrors
}

/** Returns the props of the `<form>`, the errors of its fields, why saving failed, and whether values are unsaved. */
export function useSaveForm<Values, Answer>({ values, errors, ...saving }: SaveFormOptions<Values, Answer>) {
  const ref = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  // Leaving the form asks first while the user has changed values that are not saved.
  const current = JSON.stringify(values)
  const [saved, setSaved] = useState(current)
  const [isTouched, setTouched] = useState(false)
  if (!isTouched && saved !== current) setSaved(current)
  const isUnsaved = isTouched && saved !== current
  const releaseForm = useRef(() => {})
  useEffect(() => {
    if (isUnsaved) releaseForm.current = registerUnsavedForm()
    return () => releaseForm.current()
  }, [isUnsaved])
  const onSaved = (answer: Answer, sent: Values) => {
    const isUpToDate = JSON.stringify(sent) === current
    setSaved(JSON.stringify(sent))
    setTouched(!isUpToDate)
    // The form is released at once, since `onSaved` may open another screen.
    if (isUpToDate) releaseForm.current()
    saving.onSaved?.(answer, sent)
  }
  const { serverErrors, ...sending } = useSaveMutation({ ...saving, onSaved })
  const { error } = sending
  // The first wrong field, or group of fields (`data-invalid`), gets the focus once the errors are on screen.
  useEffect(() => {
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
    if ((tries === 0 && error === null) || !wrong) return
    // In a group that is the field to fill in, rather than the radio buttons that choose a kind of answer.
    const inGroup = wrong.querySelector<HTMLElement>('input:not([type=radio])') ?? wrong.querySelector('input:checked')
    const field = wrong.matches('[data-invalid]') ? inGroup : wrong
    field?.focus()
    wrong.scrollIntoView({ block: 'nearest' })
  }, [tries, error])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTries((count) => count + 1)
    if (!Object.values(errors ?? {}).some(Boolean)) sending.save(values)
  }
  const touch = () => setTouched(true)
  const changeProps = { onInput: touch, onClick: touch, 'data-unsaved': isUnsaved || undefined }
  return {
    ...sending,
    isUnsaved,
    form: { ref, onSubmit, noValidate: errors !== undefined, ...changeProps },
    getFieldError: (field: string) => (tries > 0 ? errors?.[field] : null) ?? serverErrors[field] ?? undefined,
  }
}

export function useConfirmProps<Answer>(saving: SaveOptions<void, Answer>) {
  const { save, busy, problem } = useSaveMutation(saving)
  return { onYes: () => save(), busy, problem }
}

type ConfirmSaveProps<Answer> = {
  texts: Pick<ConfirmProps, 'text' | 'yes' | 'no'> & { title: string }
  saving: SaveOptions<void, Answer>
}

type ConfirmButtonProps<Answer> = ConfirmSaveProps<Answer> & ComponentProps<typeof Button>

export function ConfirmButton<Answer>({ texts, saving, ...button }: ConfirmButtonProps<Answer>) {
  const openDialog = (close: () => void) => <ConfirmSaveDialog texts={texts} saving={saving} onClose={close} />
  return <DialogButton {...button} dialog={openDialog} />
}

function ConfirmSaveDialog<Answer>({ texts, saving, onClose }: ConfirmSaveProps<Answer> & { onClose: () => void }) {
  const { onSaved } = saving
  const confirmed = useConfirmProps({ ...saving, onSaved: (answer, values) => (onClose(), onSaved?.(answer, values)) })
  return <ConfirmDialog {...texts} {...confirmed} onNo={onClose} />
}

function useSaveMutation<Values, Answer>(
  { send, successMessage, failureMessage, invalidate, waitForRefetch, onSaved }: SaveOptions<Values, Answer>,
  onProblem?: (problem: string) => void,
) {
  const client = useQueryClient()
  const t = useTranslations('common')
  const refetch = async () => {
    if (invalidate === undefined) return
    const isBelow = (name: unknown) => invalidate === 'all' || String(name).startsWith(invalidate)
    await client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isBelow(name) })
  }
  const toFailure = (cause: Error, values: Values) => {
    const failure = failureMessage?.(cause, values)
    const problem = failure === undefined ? t('failed') : typeof failure === 'string' ? failure : null
    return { problem, serverErrors: typeof failure === 'object' && failure !== null ? failure : {} }
  }
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: send,
    networkMode: 'always',
    scope: { id: useId() },
    onSuccess: async (answer, values) => {
      const refetching = refetch()
      if (waitForRefetch) await refetching
      const message = typeof successMessage === 'function' ? successMessage(answer, values) : successMessage
      if (message) toast(message)
      onSaved?.(answer, values)
      // The button is busy until the refetch, so that a second press meets no removed row; for `all` it takes too long.
      if (invalidate !== 'all') await refetching
    },
    onError: (cause, values) => {
      const { problem } = toFailure(cause, values)
      if (problem !== null) onProblem?.(problem)
      void refetch()
    },
  })
  // TanStack Query has the `variables` whenever it has an error.
  const failure = error === null ? NO_FAILURE : toFailure(error, variables as Values)
  return { save: mutate, busy: isPending, error, answer: data, ...failure }
}

const NO_FAILURE: { problem: string | null; serverErrors: FieldErrors } = { problem: null, serverErrors: {} }

type SaveFormProps = {
  saving: { form: ComponentProps<'form'>; busy: boolean; problem: string | null }
  saveLabel?: string | undefined
  disabled?: boolean
  children: ReactNode
}

type DialogFormProps = SaveFormProps & { isDangerous?: boolean; onClose: () => void; extraAction?: ReactNode }

export function DialogForm(props: DialogFormProps) {
  const { saving, saveLabel, isDangerous, disabled, onClose, extraAction, children } = props
  const t = useTranslations('common')
  const { form, busy, problem } = saving
  return (
    <form {...form} className="flex min-h-0 flex-col">
      <FormFrame
        problem={problem}
        actions={
          <>
            {extraAction}
            <Button text={t('cancel')} onClick={onClose} />
            <Button
              text={saveLabel ?? t('save')}
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

type SettingsFormProps = SaveFormProps & { title: string; intro: string; isWide?: boolean; id?: string }

export function SettingsForm({ saving, title, intro, saveLabel, disabled, isWide, id, children }: SettingsFormProps) {
  const t = useTranslations('common')
  const titleId = useId()
  const { form, busy, problem } = saving
  return (
    <form
      id={id}
      aria-labelledby={titleId}
      {...form}
      className={`rounded-lg border border-line bg-panel shadow-card ${isWide ? '' : 'max-w-2xl'}`}
    >
      <CardHeading id={titleId} title={title} hint={intro} className="border-b border-line-soft px-4 pt-4 pb-3" />
      {children}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
        <ProblemText text={problem} className="min-w-0 flex-1 basis-60" />
        <Button text={saveLabel ?? t('save')} variant="primary" type="submit" busy={busy} disabled={disabled} />
      </div>
    </form>
  )
}
