import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { MinorsLine } from '@/components/desk/minors-line'
import { Button } from '@/components/ui/button'
import { DialogFrame } from '@/components/ui/dialog'
import { SelectField, TextField } from '@/components/ui/field'
import { Notice, ProblemText } from '@/components/ui/notice'
import { exportPreview } from '@/lib/api/exports'
import type { ExportFormat, ExportTally, ExportTarget } from '@/lib/contract/export'
import { reasonOf } from './export-run'

type Form = ReturnType<typeof usePurposeForm>
type PurposeDialogProps = Omit<PurposeFormProps, 'id'> & {
  title: string
  /** The button that sends it. */
  send: Pick<ComponentProps<typeof Button>, 'text' | 'busy' | 'disabled'>
  /** In place of the form while what it asked for is under way; then nothing closes the dialog. */
  instead?: { content: ReactNode; footer: ReactNode } | null
  onClose: () => void
}

export function PurposeDialog({ title, send, instead = null, onClose, ...form }: PurposeDialogProps) {
  const t = useTranslations('export')
  const id = useId()
  const footer = (
    <>
      <Button text={t('back')} variant="ghost" onClick={onClose} />
      <Button {...send} variant="primary" type="submit" form={id} className="tabular" />
    </>
  )
  return (
    <DialogFrame title={title} onClose={onClose} insistent={instead !== null} footer={instead?.footer ?? footer}>
      {instead?.content ?? <PurposeForm id={id} {...form} />}
    </DialogFrame>
  )
}

type PurposeFormProps = { id: string; form: Form; problem: string | null; onSubmit: () => void; children: ReactNode }

function PurposeForm({ id, form, problem, onSubmit, children }: PurposeFormProps) {
  const { tally } = form
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
      {tally && <Withheld count={tally.withheld} />}
      <PurposeField form={form} />
      {tally && tally.under16 + tally.mayBeUnder16 > 0 && <MinorsLine />}
      <ProblemText text={problem} />
    </form>
  )
}

const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer', 'other'] as const

type Filled = {
  newOnly: boolean
  purpose: (typeof PURPOSES)[number] | ''
  ownWords: string
}
const EMPTY: Filled = { newOnly: false, purpose: '', ownWords: '' }

export function usePurposeForm(target: ExportTarget, format: ExportFormat) {
  const t = useTranslations('export')
  const [filled, setFilled] = useState(EMPTY)
  const [isChecked, setChecked] = useState(false)
  const { purpose, ownWords } = filled
  const preview = useQuery({
    ...exportPreview(target, format),
    placeholderData: keepPreviousData,
  })
  const fresh = preview.data?.fresh ?? null
  const newOnly = filled.newOnly && fresh !== null && fresh.count > 0
  const tally: ExportTally | undefined = newOnly ? fresh : preview.data
  const named = purpose === '' || purpose === 'other' ? '' : t(`purpose.${purpose}`)
  const reason = purpose === 'other' ? ownWords.trim() : named
  return {
    ...filled,
    set: (part: Partial<Filled>) => setFilled((others) => ({ ...others, ...part })),
    preview: preview.data,
    failure: preview.error === null ? null : t(`failed.${reasonOf(preview.error)}`),
    isCounting: preview.isPlaceholderData,
    tally,
    newOnly,
    purposeError: isChecked && reason === '' ? t('purpose.missing') : undefined,
    /** Null when something is missing, which is then shown. */
    check: (): string | null => {
      setChecked(true)
      return reason === '' ? null : reason
    },
  }
}

/** Why the data is needed: asked every time, since a remembered answer would be none. */
function PurposeField({ form: { purpose, ownWords, purposeError, set } }: { form: Form }) {
  const t = useTranslations('export.purpose')
  const isOther = purpose === 'other'
  return (
    <>
      <SelectField
        label={t('label')}
        hint={t('hint')}
        error={isOther ? undefined : purposeError}
        required
        value={purpose}
        options={[['', t('choose')], ...PURPOSES.map((name) => [name, t(name)] as const)]}
        onChoose={(chosen) => set({ purpose: chosen })}
      />
      {isOther && (
        <TextField
          label={t('otherLabel')}
          error={purposeError}
          autoFocus
          required
          maxLength={300}
          value={ownWords}
          onChange={({ target }) => set({ ownWords: target.value })}
        />
      )}
    </>
  )
}

/** A person with a protected identity is in no file. */
function Withheld({ count }: { count: number }) {
  const t = useTranslations('export')
  if (count === 0) return null
  return (
    <Notice size="sm" className="tabular flex items-center gap-2 font-medium">
      <ShieldAlert className="size-4 shrink-0" />
      {t('withheld', { count })}
    </Notice>
  )
}
