import { useTranslations } from 'next-intl'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'
import { FormFrame } from '@/components/ui/dialog'
import { ProblemText } from '@/components/ui/notice'
import { CardHeading } from '@/components/ui/headings'

type SaveFormProps = {
  saving: { form: ComponentProps<'form'>; busy: boolean; problem: string | null }
  save: string
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
            {other ?? <Button onClick={onClose}>{common('cancel')}</Button>}
            <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
              {save}
            </Button>
          </>
        }
      >
        {children}
      </FormFrame>
    </form>
  )
}

export function SettingsForm({ saving, title, lead, save, disabled, other, children }: SettingsFormProps) {
  const id = useId()
  const { form, busy, problem } = saving
  return (
    <form
      aria-labelledby={title && id}
      {...form}
      className="max-w-2xl rounded-lg border border-line bg-panel shadow-card"
    >
      {title && (
        <CardHeading id={id} title={title} className="border-b border-line-soft px-4 pt-4 pb-3">
          {lead}
        </CardHeading>
      )}
      {children}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
        <ProblemText text={problem} className="min-w-0 flex-1 basis-60" />
        {other}
        <Button variant="primary" type="submit" busy={busy} disabled={disabled}>
          {save}
        </Button>
      </div>
    </form>
  )
}

type SettingsFormProps = SaveFormProps & {
  /** Without a title the form is all of its screen. */
  title?: string
  lead?: string
  other?: ReactNode
}
