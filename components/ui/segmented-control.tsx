import { useId } from 'react'
import { cn } from './cn'

type SegmentedControlProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { value: Value; text: string; disabled?: boolean }[]
  onChange: (value: Value) => void
  hint?: string | undefined
  /** The label of a `field` is above it; the label of a `switch` is for screen readers only. */
  variant?: keyof typeof variants
}

/** Offers a few options as the browser's radio buttons, so that the arrow keys move among them. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, options, onChange, hint, variant = 'field' } = props
  const name = useId()
  const classes = variants[variant]
  return (
    <fieldset className="min-w-0" aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <legend className={classes.label}>{label}</legend>
      <div className={cn('border border-line bg-side', classes.frame)}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cn(
              'flex h-7.5 items-center justify-center text-sm font-medium text-mute has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent',
              classes.option,
              option.disabled ? 'opacity-55' : classes.hover,
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

const variants = {
  field: {
    label: 'mb-1.5 text-sm font-medium',
    frame: 'grid auto-cols-fr grid-flow-col gap-1 rounded-lg p-1',
    option:
      'tabular rounded-md border border-transparent px-2 transition-colors has-checked:border-line has-checked:bg-raised has-focus-visible:outline-offset-1 touch:h-11',
    hover: 'hover:text-ink',
  },
  switch: {
    label: 'sr-only',
    frame: 'flex flex-wrap rounded-md p-0.5',
    option: 'grow rounded-sm has-checked:bg-panel touch:h-11',
    hover: '',
  },
}
