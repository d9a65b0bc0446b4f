import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldAlert, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { Field, Input, Select } from '@/components/ui/field'
import { Notice, Problem } from '@/components/ui/notice'
import { exportPreview } from '@/lib/api/exports'
import type { ExportFormat, ExportTally, ExportTarget } from '@/lib/contract/export'
import { reasonOf } from './export-run'

type Form = ReturnType<typeof usePurposeForm>
type PurposeFormProps = {
  id: string
  form: Form
  problem: string | null
  onSubmit: () => void
  children: ReactNode
}

/** Every form that exports leads: after its own fields the purpose, and the check for minors. */
export function PurposeForm({ id, form, problem, onSubmit, children }: PurposeFormProps) {
  const { tally, ...rest } = form
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        const { currentTarget } = event
        // React marks the missing fields first.
        requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      }}
    >
      {children}
      {tally && <ProtectedChoice tally={tally} {...rest} />}
      <PurposeField {...rest} />
      {form.mustConfirm && tally && <MinorsCheck tally={tally} {...rest} />}
      <Problem text={problem} />
    </form>
  )
}

const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer', 'other'] as const

/** What is asked before leads are exported in any shape: which, why, and whether minors among them were thought of. */
export function usePurposeForm(target: ExportTarget, format: ExportFormat, newFirst: boolean) {
  const t = useTranslations('export')
  const [includeProtected, setIncludeProtected] = useState(false)
  const preview = useQuery({
    ...exportPreview(target, format, includeProtected),
    placeholderData: keepPreviousData,
  })
  const [wantsNew, setNewOnly] = useState(newFirst)
  const [purpose, setPurpose] = useState<(typeof PURPOSES)[number] | ''>('')
  const [ownWords, setOwnWords] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const [isChecked, setChecked] = useState(false)

  const fresh = preview.data?.fresh ?? null
  const newOnly = wantsNew && fresh !== null && fresh.count > 0
  const tally: ExportTally | undefined = newOnly ? fresh : preview.data
  const named = purpose === '' || purpose === 'other' ? '' : t(`purpose.${purpose}`)
  const reason = purpose === 'other' ? ownWords.trim() : named
  const mustConfirm = tally !== undefined && tally.under16 + tally.mayBeUnder16 > 0
  return {
    preview: preview.data,
    failure: preview.error === null ? null : t(`failed.${reasonOf(preview.error)}`),
    isCounting: preview.isPlaceholderData,
    tally,
    newOnly,
    setNewOnly,
    includeProtected,
    setIncludeProtected,
    purpose,
    setPurpose,
    ownWords,
    setOwnWords,
    purposeError: isChecked && reason === '' ? t('purpose.missing') : undefined,
    mustConfirm,
    isConfirmed,
    setConfirmed,
    isConfirmationMissing: isChecked && !isConfirmed,
    /** The purpose in words; null when something is missing, which is then shown. */
    check: (): string | null => {
      setChecked(true)
      return reason === '' || (mustConfirm && !isConfirmed) ? null : reason
    },
  }
}

type PurposeFieldProps = Pick<Form, 'purpose' | 'setPurpose' | 'ownWords' | 'setOwnWords' | 'purposeError'>

/** Why the data is needed: asked every time, since a remembered answer would be none. */
function PurposeField({ purpose, setPurpose, ownWords, setOwnWords, purposeError }: PurposeFieldProps) {
  const t = useTranslations('export.purpose')
  const isOther = purpose === 'other'
  return (
    <>
      <Field label={t('label')} hint={t('hint')} error={isOther ? undefined : purposeError}>
        {(attributes) => (
          <Select
            {...attributes}
            required
            value={purpose}
            onChange={({ target }) => setPurpose(PURPOSES.find((one) => one === target.value) ?? '')}
          >
            <option value="">{t('choose')}</option>
            {PURPOSES.map((name) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isOther && (
        <Field label={t('otherLabel')} error={purposeError}>
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus
              required
              maxLength={300}
              value={ownWords}
              onChange={({ target }) => setOwnWords(target.value)}
            />
          )}
        </Field>
      )}
    </>
  )
}

type ProtectedChoiceProps = Pick<Form, 'includeProtected' | 'setIncludeProtected'> & { tally: ExportTally }

/** A person with a protected identity is in no file, unless a user who is shown them chooses so. */
function ProtectedChoice({ tally, includeProtected, setIncludeProtected }: ProtectedChoiceProps) {
  const its = tally.protected
  const t = useTranslations('export.protected')
  const left = its.count - (includeProtected ? its.shown : 0)
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
            checked={includeProtected}
            onChange={({ target }) => setIncludeProtected(target.checked)}
          />
          {t('include', { count: its.shown })}
        </label>
      )}
      {includeProtected && its.shown > 0 && <p>{t('included')}</p>}
    </Notice>
  )
}

type MinorsCheckProps = Pick<Form, 'isConfirmed' | 'setConfirmed' | 'isConfirmationMissing'> & { tally: ExportTally }

function MinorsCheck({ tally, isConfirmed, setConfirmed, isConfirmationMissing: isMissing }: MinorsCheckProps) {
  const t = useTranslations('export.minors')
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-lg bg-warn px-3.5 py-3 text-sm text-warn-ink">
      <h3 id={`${id}-title`} className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {t(tally.under16 > 0 ? 'title' : 'titleMaybe')}
      </h3>
      <p className="tabular mt-1">
        {tally.under16 > 0 && `${t('sure', { count: tally.under16 })} `}
        {tally.mayBeUnder16 > 0 && t('maybe', { count: tally.mayBeUnder16 })}
      </p>
      <p className="mt-1">{t('rule')}</p>
      <label className="mt-1.5 flex min-h-8 items-center gap-2.5 font-medium touch:min-h-11">
        <input
          type="checkbox"
          className="size-4"
          checked={isConfirmed}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}-missing` : undefined}
          onChange={({ target }) => setConfirmed(target.checked)}
        />
        {t('confirm')}
      </label>
      {isMissing && (
        <p id={`${id}-missing`} className="font-medium">
          {t('missing')}
        </p>
      )}
    </section>
  )
}
