import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { MinorsLine } from '@/components/desk/minors-line'
import { Button } from '@/components/ui/button'
import { DialogFrame } from '@/components/ui/dialog'
import { SelectField, TextField } from '@/components/ui/field'
import { Notice, ProblemText } from '@/components/ui/notice'
import { exportPreview } from '@/lib/api/exports'
import { ApiError } from '@/lib/api/send'
import type { ExportFormat, ExportTally, ExportTarget } from '@/lib/contract/export'

const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer', 'other'] as const

type Filled = {
  newOnly: boolean
  purpose: (typeof PURPOSES)[number] | ''
  ownWords: string
}

export function usePurposeForm(target: ExportTarget, format: ExportFormat) {
  const t = useTranslations('export')
  const [filled, setFilled] = useState<Filled>({ newOnly: false, purpose: '', ownWords: '' })
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

type PurposeDialogProps = {
  title: string
  form: ReturnType<typeof usePurposeForm>
  problem: string | null
  send: Pick<ComponentProps<typeof Button>, 'text' | 'busy' | 'disabled'>
  /** In place of the form while what it asked for is under way; then nothing closes the dialog. */
  instead?: { content: ReactNode; footer: ReactNode } | null
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Why the data is needed is asked every time, since a remembered answer would be none. */
export function PurposeDialog(props: PurposeDialogProps) {
  const { title, form, problem, send, instead = null, onSubmit, onClose, children } = props
  const t = useTranslations('export')
  const id = useId()
  const { tally, purpose, purposeError, ownWords, set } = form
  const isOther = purpose === 'other'
  const footer = (
    <>
      <Button text={t('back')} variant="ghost" onClick={onClose} />
      <Button {...send} variant="primary" type="submit" form={id} className="tabular" />
    </>
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
    const { currentTarget } = event
    // React marks the missing fields first.
    requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <DialogFrame title={title} onClose={onClose} insistent={instead !== null} footer={instead?.footer ?? footer}>
      {instead?.content ?? (
        <form id={id} noValidate className="flex flex-col gap-4" onSubmit={submit}>
          {children}
          {/* A person with a protected identity is in no file. */}
          {tally && tally.withheld > 0 && (
            <Notice size="sm" className="tabular flex items-center gap-2 font-medium">
              <ShieldAlert className="size-4 shrink-0" />
              {t('withheld', { count: tally.withheld })}
            </Notice>
          )}
          <SelectField
            label={t('purpose.label')}
            hint={t('purpose.hint')}
            error={isOther ? undefined : purposeError}
            required
            value={purpose}
            options={[['', t('purpose.choose')], ...PURPOSES.map((name) => [name, t(`purpose.${name}`)] as const)]}
            onChoose={(chosen) => set({ purpose: chosen })}
          />
          {isOther && (
            <TextField
              label={t('purpose.otherLabel')}
              error={purposeError}
              autoFocus
              required
              maxLength={300}
              value={ownWords}
              onChange={({ target }) => set({ ownWords: target.value })}
            />
          )}
          {tally && tally.under16 + tally.mayBeUnder16 > 0 && <MinorsLine />}
          <ProblemText text={problem} />
        </form>
      )}
    </DialogFrame>
  )
}

export function reasonOf(failure: unknown): 'offline' | 'not-found' | 'unauthorized' | 'changed' | 'other' {
  if (failure instanceof ApiError && failure.status === 409) return 'changed'
  const kind = failure instanceof ApiError ? failure.kind : null
  return kind === 'offline' || kind === 'not-found' || kind === 'unauthorized' ? kind : 'other'
}
