import { type ReactNode, useId } from 'react'

type RadioGroupProps<Value extends string> = {
  legend: string
  error: string | undefined
  /** This text replaces the choices where the value cannot be changed. */
  fixedText: string | null
  choices: readonly { value: Value; label: string; hint?: string }[]
  value: Value
  onChoose: (value: Value) => void
  children?: ReactNode
}

/** The error stands above the choices, because `children` below them may be long. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, error, fixedText, choices, value: chosenValue, onChoose, children } = props
  const id = useId()
  return (
    <fieldset data-invalid={error !== undefined || undefined} aria-describedby={error && id}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {error && (
        <p id={id} role="alert" className="mb-1.5 text-xs text-danger">
          {error}
        </p>
      )}
      <div className={`overflow-hidden rounded-md border ${error ? 'border-danger' : 'border-line'}`}>
        {fixedText !== null && <p className="px-3 py-2 text-sm font-medium wrap-anywhere">{fixedText}</p>}
        {fixedText === null &&
          choices.map(({ value, label, hint }) => (
            <label
              key={value}
              className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover touch:min-h-11"
            >
              <input
                type="radio"
                name={id}
                aria-label={label}
                aria-describedby={hint && `${id}-${value}`}
                checked={value === chosenValue}
                onChange={() => onChoose(value)}
                className="size-4 shrink-0"
              />
              <span className="min-w-0">
                <span className="block text-sm font-medium">{label}</span>
                {hint && (
                  <span id={`${id}-${value}`} className="block text-xs text-mute">
                    {hint}
                  </span>
                )}
              </span>
            </label>
          ))}
        {fixedText === null && children}
      </div>
    </fieldset>
  )
}
