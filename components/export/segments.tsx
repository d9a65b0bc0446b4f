import { useId } from 'react'
import { cn } from '@/components/ui/cn'

type SegmentsProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; text: string; disabled?: boolean }[]
  onChange: (value: Value) => void
  hint?: string | undefined
}

/** One of a few, side by side: the browser's own radio buttons, so that arrows move among them. */
export function Segments<Value extends string>({ label, value, options, onChange, hint }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0" aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-lg border border-line bg-side p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={cn(
              'tabular flex h-7.5 items-center justify-center rounded-md border border-transparent px-2 text-sm font-medium text-mute transition-colors has-checked:border-line has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent touch:h-10',
              option.disabled ? 'opacity-55' : 'hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            {option.text}
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${name}-hint`} className="mt-1.5 text-xs text-mute">
          {hint}
        </p>
      )}
    </fieldset>
  )
}
