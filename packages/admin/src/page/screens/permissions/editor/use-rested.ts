import { useEffect, useState } from 'react'

/** How long the editor rests before the engine is asked. */
const restMs = 400

/** The value when it has not changed for a while. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal values are the same
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
