import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'

type WorkSectionProps = {
  title: string
  lead: string
  save: string
  busy: boolean
  /** Nothing is other than it was, or something is wrong. */
  disabled: boolean
  onSave: () => void
  children: ReactNode
}

/** One thing that an administrator sets, with what saves it. */
export function WorkSection({ title, lead, save, busy, disabled, onSave, children }: WorkSectionProps) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled) onSave()
  }
  return (
    <form
      aria-labelledby={id}
      onSubmit={submit}
      className="max-w-2xl rounded-lg border border-line bg-panel shadow-card"
    >
      <div className="flex flex-col gap-1 px-4 pt-4 pb-3">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="max-w-prose text-sm text-pretty text-mute">{lead}</p>
      </div>
      <div className="border-t border-line-soft">{children}</div>
      <div className="flex justify-end border-t border-line-soft p-3">
        <Button variant="primary" type="submit" busy={busy} disabled={disabled}>
          {save}
        </Button>
      </div>
    </form>
  )
}
