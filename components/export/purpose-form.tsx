import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Field, Input, Select } from '@/components/ui/field'
import { Notice, Problem } from '@/components/ui/notice'
import { exportPreview } from '@/lib/api/exports'
import type { ExportFormat, ExportPreview, ExportTally, ExportTarget } from '@/lib/contract/export'
import { hasMinors, MinorsCheck } from './minors-check'

type PurposeFormProps = {
  id: string
  form: ReturnType<typeof usePurposeForm>
  problem: string | null
  onSubmit: () => void
  children: ReactNode
}

/** Every form that exports leads: after its own fields the purpose, and the check for minors. */
export function PurposeForm({ id, form, problem, onSubmit, children }: PurposeFormProps) {
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        showFirstMissing(event.currentTarget)
      }}
    >
      {children}
      {form.tally && (
        <ProtectedChoice tally={form.tally} isIncluded={form.includeProtected} onChange={form.setIncludeProtected} />
      )}
      <PurposeField purpose={form.purpose} error={form.purposeError} onChange={form.setPurpose} />
      {form.mustConfirm && form.tally && (
        <MinorsCheck
          tally={form.tally}
          isConfirmed={form.isConfirmed}
          isMissing={form.isConfirmationMissing}
          onChange={form.setConfirmed}
        />
      )}
      <Problem text={problem} />
    </form>
  )
}

/** What is asked before leads are exported in any shape: which, why, and whether minors among them were thought of. */
export function usePurposeForm(target: ExportTarget, format: ExportFormat, newFirst: boolean) {
  const t = useTranslations('export.purpose')
  const [includeProtected, setIncludeProtected] = useState(false)
  const {
    data: preview,
    error,
    isPlaceholderData,
  } = useQuery({
    ...exportPreview(target, format, includeProtected),
    placeholderData: keepPreviousData,
  })
  const [onlyNew, setOnlyNew] = useState<boolean | null>(null)
  const [purpose, setPurpose] = useState<Purpose>(NO_PURPOSE)
  const [isConfirmed, setConfirmed] = useState(false)
  const [isChecked, setChecked] = useState(false)

  const newOnly = isNewOnly(preview, onlyNew ?? newFirst)
  const tally: ExportTally | undefined = newOnly ? (preview?.fresh ?? undefined) : preview
  const reason = purpose.name === 'other' ? purpose.text.trim() : purpose.name === '' ? '' : t(purpose.name)
  const mustConfirm = tally !== undefined && hasMinors(tally)
  const isComplete = reason !== '' && (isConfirmed || !mustConfirm)
  return {
    preview,
    error,
    tally,
    newOnly,
    /** Also who has a protected identity, as far as the person is shown them. */
    includeProtected,
    /** What is counted is not what is chosen now. */
    isCounting: isPlaceholderData,
    setIncludeProtected,
    setNewOnly: (value: boolean) => setOnlyNew(value),
    purpose,
    setPurpose,
    purposeError: isChecked && reason === '' ? t('missing') : undefined,
    /** Minors are among the leads: it is to be confirmed that they were thought of. */
    mustConfirm,
    isConfirmed,
    setConfirmed,
    isConfirmationMissing: isChecked && !isConfirmed,
    /** The purpose in words; null when something is missing, which is then shown. */
    check: (): string | null => {
      setChecked(true)
      return isComplete ? reason : null
    },
  }
}

function isNewOnly(preview: ExportPreview | undefined, wanted: boolean): boolean {
  return wanted && (preview?.fresh?.count ?? 0) > 0
}

/** Gives the focus to the first invalid field, once React has marked it. */
function showFirstMissing(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer'] as const
/** One of the list, or in the person's own words. */
type Purpose = { name: (typeof PURPOSES)[number] | 'other' | ''; text: string }
const NO_PURPOSE: Purpose = { name: '', text: '' }

type PurposeFieldProps = { purpose: Purpose; error: string | undefined; onChange: (purpose: Purpose) => void }

/** Why the data is needed: asked every time, since a remembered answer would be none. */
function PurposeField({ purpose, error, onChange }: PurposeFieldProps) {
  const t = useTranslations('export.purpose')
  const isOther = purpose.name === 'other'
  return (
    <>
      <Field label={t('label')} hint={t('hint')} error={isOther ? undefined : error}>
        {(attributes) => (
          <Select
            {...attributes}
            required
            value={purpose.name}
            onChange={({ target }) => {
              const name = [...PURPOSES, 'other' as const].find((one) => one === target.value) ?? ''
              onChange({ ...purpose, name })
            }}
          >
            <option value="">{t('choose')}</option>
            {[...PURPOSES, 'other' as const].map((name) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isOther && (
        <Field label={t('otherLabel')} error={error}>
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus
              required
              maxLength={300}
              value={purpose.text}
              onChange={({ target }) => onChange({ ...purpose, text: target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

type ProtectedChoiceProps = {
  tally: Pick<ExportTally, 'protected'>
  isIncluded: boolean
  onChange: (isIncluded: boolean) => void
}

/** Who has a protected identity is in no file: how many that leaves out, and the way for those who are shown them. */
function ProtectedChoice({ tally: { protected: its }, isIncluded, onChange }: ProtectedChoiceProps) {
  const t = useTranslations('export.protected')
  const left = its.count - (isIncluded ? its.shown : 0)
  if (its.count === 0) return null
  return (
    <Notice size="sm">
      {left > 0 && (
        <p className="tabular flex items-center gap-2 font-medium">
          <ShieldAlert aria-hidden className="size-4 shrink-0" />
          {t('left', { count: left })}
        </p>
      )}
      {its.shown > 0 && (
        <label className="tabular flex min-h-8 items-center gap-2.5 touch:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            checked={isIncluded}
            onChange={({ target }) => onChange(target.checked)}
          />
          {t('include', { count: its.shown })}
        </label>
      )}
      {isIncluded && its.shown > 0 && <p>{t('included')}</p>}
    </Notice>
  )
}
