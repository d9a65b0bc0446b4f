import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { MinorsLine } from '@/components/app/minors-line'
import { Button } from '@/components/ui/button'
import { DialogFrame } from '@/components/ui/dialog'
import { SelectField, TextField } from '@/components/ui/field'
import { Notice, ProblemText } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { exportPreview } from '@/lib/api/exports'
import { ApiError } from '@/lib/api/send'
import { columnsOfList, defaultColumns } from '@/lib/export/export-columns'
import type { ExportChoice, ExportFormat, ExportTally, ExportTarget } from '@/lib/contract/export'

const PURPOSES = ['call', 'contact', 'invite', 'statistics', 'transfer', 'other'] as const
type Filled = ExportChoice & { newOnly: boolean; ownWords: string }

/** What the user chooses, beginning with what was chosen last time, and how many leads that would be. */
export function usePurposeForm(target: ExportTarget, format: ExportFormat) {
  const t = useTranslations('export')
  const client = useQueryClient()
  const params = { name: `export.${target.list}` as const }
  const remembered = apiQuery('GET /api/preferences/[name]', { params })
  const { data, isPending } = useQuery({ ...remembered, staleTime: Infinity })
  const preview = useQuery({ ...exportPreview(target, format), placeholderData: keepPreviousData })
  const [changes, setChanges] = useState<Partial<Filled>>({})
  const [isChecked, setChecked] = useState(false)
  const last = data?.value as ExportChoice | null | undefined
  // Columns that the list no longer has would be empty.
  const columns = last?.columns.filter((column) => columnsOfList[target.list].includes(column)) ?? []
  const choice: ExportChoice = {
    format: changes.format ?? last?.format ?? 'xlsx',
    columns: changes.columns ?? (columns.length === 0 ? defaultColumns(target.list) : columns),
    purpose: 'purpose' in changes ? changes.purpose : last?.purpose,
  }
  const { ownWords = '' } = changes
  const fresh = preview.data?.fresh ?? null
  const newOnly = changes.newOnly === true && fresh !== null && fresh.count > 0
  const tally: ExportTally | undefined = newOnly ? fresh : preview.data
  const named = choice.purpose === undefined || choice.purpose === 'other' ? '' : t(`purpose.${choice.purpose}`)
  const reason = choice.purpose === 'other' ? ownWords.trim() : named
  return {
    choice,
    ownWords,
    newOnly,
    set: (part: Partial<Filled>) => setChanges((others) => ({ ...others, ...part })),
    preview: preview.data,
    failure: preview.error === null ? null : t(`failed.${reasonOf(preview.error)}`),
    isReady: !isPending && !preview.isPlaceholderData && tally !== undefined,
    tally,
    purposeError: isChecked && reason === '' ? t('purpose.missing') : undefined,
    /** Remembers what is chosen, and answers the purpose; null when it is missing, which is then shown. */
    confirm: (): string | null => {
      setChecked(true)
      if (reason === '') return null
      client.setQueryData(remembered.queryKey, { value: choice })
      // The export goes on whether that works or not.
      api('PUT /api/preferences/[name]', { params, body: { value: choice } }).catch(() => undefined)
      return reason
    },
  }
}

type PurposeDialogProps = {
  title: string
  form: ReturnType<typeof usePurposeForm>
  problem: string | null
  send: Pick<ComponentProps<typeof Button>, 'text' | 'busy' | 'disabled'>
  /** In place of the form while what it asked for is under way; then nothing closes the dialog. */
  instead?: { content: ReactNode; footer: ReactNode } | false
  onSubmit: (purpose: string) => void
  onClose: () => void
  children: ReactNode
}

/** Why the data is needed stands in every dialog: the last purpose is filled in for the user to confirm or change, own words never. */
export function PurposeDialog(props: PurposeDialogProps) {
  const { title, form, problem, send, instead, onSubmit, onClose, children } = props
  const t = useTranslations('export')
  const id = useId()
  const { tally, choice, purposeError, ownWords, set, confirm } = form
  const isOther = choice.purpose === 'other'
  const footer = (
    <>
      <Button text={t('back')} variant="ghost" onClick={onClose} />
      <Button {...send} variant="primary" type="submit" form={id} className="tabular" />
    </>
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const purpose = confirm()
    if (purpose !== null) return onSubmit(purpose)
    const { currentTarget } = event
    // React marks the missing field first.
    requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <DialogFrame
      title={title}
      onClose={onClose}
      insistent={Boolean(instead)}
      footer={instead ? instead.footer : footer}
    >
      {instead ? (
        instead.content
      ) : (
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
            value={choice.purpose ?? ''}
            options={[['', t('purpose.choose')], ...PURPOSES.map((name) => [name, t(`purpose.${name}`)] as const)]}
            onChoose={(chosen) => set({ purpose: chosen === '' ? undefined : chosen })}
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
