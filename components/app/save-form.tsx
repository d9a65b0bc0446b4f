import { useTranslations } from 'next-intl'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import { FormFrame } from '@/components/ui/dialog'
import { CardHeading } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { type FieldErrors, type SaveOptions, useSaveMutation } from './use-save'

type SaveFormOptions<Values, Answer> = SaveOptions<Values, Answer> & {
  values: Values
  /** Errors of the current values; shown from the first submit, which focuses the first wrong field. */
  errors?: FieldErrors
}

/** Returns the props of the `<form>`, the errors of its fields, why saving failed, and whether values are unsaved. */
export function useSaveForm<Values, Answer>({ values, errors, ...options }: SaveFormOptions<Values, Answer>) {
  const ref = useRef<HTMLFormElement>(null)
  const [submitCount, setSubmitCount] = useState(0)
  const currentJson = JSON.stringify(values)
  const [savedJson, setSavedJson] = useState(currentJson)
  // An untouched form counts as saved, because its values change only with the saved ones.
  const [isTouched, setTouched] = useState(false)
  if (!isTouched && savedJson !== currentJson) setSavedJson(currentJson)
  const isUnsaved = isTouched && savedJson !== currentJson
  const onSaved = (answer: Answer, sent: Values) => {
    const sentJson = JSON.stringify(sent)
    // The state is flushed, because `onSaved` may open another screen, which asks about unsaved forms.
    flushSync(() => {
      setSavedJson(sentJson)
      setTouched(sentJson !== currentJson)
    })
    options.onSaved?.(answer, sent)
  }
  const { fieldErrors, ...saving } = useSaveMutation({ ...options, onSaved })
  const { error } = saving
  useEffect(() => {
    if (submitCount > 0 || error !== null) focusFirstError(ref.current)
  }, [submitCount, error])
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitCount((count) => count + 1)
    if (!Object.values(errors ?? {}).some(Boolean)) saving.save(values)
  }
  const markTouched = () => setTouched(true)
  const getFieldError = (field: string): string | undefined => {
    const localError = submitCount > 0 ? errors?.[field] : null
    return localError ?? fieldErrors?.[field] ?? undefined
  }
  const noValidate = errors !== undefined
  const changeProps = { onInput: markTouched, onClick: markTouched, 'data-unsaved': isUnsaved || undefined }
  return { ...saving, isUnsaved, getFieldError, form: { ref, onSubmit, noValidate, ...changeProps } }
}

/** Focuses the first wrong field; in a group (`data-invalid`) the checked radio button, or the first other input. */
function focusFirstError(form: HTMLFormElement | null): void {
  const selector = '[aria-invalid="true"], [data-invalid] input:is(:checked, :not([type=radio]))'
  const field = form?.querySelector<HTMLElement>(selector)
  field?.focus()
  field?.closest('[data-invalid]')?.scrollIntoView({ block: 'nearest' })
}

type SaveFormProps = {
  saving: { form: ComponentProps<'form'>; busy: boolean; problem: string | null }
  saveLabel?: string | undefined
  disabled?: boolean
  children: ReactNode
}

type DialogFormProps = SaveFormProps & { isDangerous?: boolean; onClose: () => void; extraAction?: ReactNode }

export function DialogForm(props: DialogFormProps) {
  const { saving, saveLabel, disabled, isDangerous, onClose, extraAction, children } = props
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
    <form id={id} aria-labelledby={titleId} {...form} className={isWide ? 'card' : 'card max-w-2xl'}>
      <CardHeading id={titleId} title={title} hint={intro} className="border-b border-line-soft px-4 pt-4 pb-3" />
      {children}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
        <ProblemText text={problem} className="min-w-0 flex-1 basis-60" />
        <Button text={saveLabel ?? t('save')} variant="primary" type="submit" busy={busy} disabled={disabled} />
      </div>
    </form>
  )
}
