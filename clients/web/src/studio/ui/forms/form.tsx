// Forms made from the table of api.json: one control for each field, by its type, with its unit, range and meaning.
import type {ComponentChildren} from 'preact';
import {useContext, useEffect, useState} from 'preact/hooks';

import {METHODS, TYPES, type ConstraintKind, type Field, type Method, type WeftError} from '../../../lib/index.js';
import {Icon} from '../controls/icons.js';
import type {Binding} from './binding.js';
import {ChoiceField, Segments, Switch, TextField} from './choice.js';
import {anglesOf, quaternionOf} from './angles.js';
import {fieldDoc, isAdvanced, isShown} from './fields.js';
import {FixedForms} from './fixed.js';
import {NumberField, VectorField} from './number.js';
import {scaleOf} from './scale.js';
import {prettyName, prettyUnit} from './units.js';

export interface FormProps {
  method: Method;
  binding: Binding;
  // The fields, in this order; all that a form can show if absent.
  only?: readonly string[];
  except?: readonly string[];
  // The kind of constraint that a field is about: it says what '[C]' is.
  kindOf?: (path: string) => ConstraintKind | undefined;
  names?: Readonly<Record<string, string>>;
  units?: Readonly<Record<string, string>>;
  // Fields within a group that are not shown.
  hidden?: (path: string) => boolean;
  // Fields that are shown and cannot be changed.
  fixed?: (path: string) => boolean;
  disabled?: boolean;
  // What a number that is typed is refused for, where the server does not see it.
  refuse?: (field: Field, value: number) => string | undefined;
  // Whether a group starts open. Default: all do.
  open?: (path: string) => boolean;
}

// What a form can show; bulk arrays and the names of things are not typed into forms.
export function formFields(
  method: Method,
  only?: readonly string[],
  except: readonly string[] = [],
): readonly Field[] {
  const shown = (METHODS[method].params as readonly Field[]).filter(
    (field) => isShown(field) && !except.includes(field.name) && (!only || only.includes(field.name)),
  );
  return only ? [...shown].sort((a, b) => only.indexOf(a.name) - only.indexOf(b.name)) : shown;
}

export function MethodForm(props: FormProps) {
  const fields = formFields(props.method, props.only, props.except);
  const folded = advancedOf(fields, props);
  return (
    <div class="form">
      {fields
        .filter((field) => !isAdvanced(field.name))
        .map((field) => (
          <FieldControl key={field.name} {...props} field={field} path={field.name} />
        ))}
      {folded.length > 0 && (
        <Section
          name="Advanced"
          open={false}
          reveal={folded.map(({path}) => props.binding.refusal(path)).find(Boolean)}
        >
          {folded.map(({field, path, name}) => (
            <FieldControl
              key={path}
              {...props}
              names={{...props.names, [path]: props.names?.[path] ?? name}}
              field={field}
              path={path}
            />
          ))}
        </Section>
      )}
    </div>
  );
}

interface Folded {
  readonly field: Field;
  readonly path: string;
  readonly name: string;
}

// What few people need: of the form itself, and of the parts in it, named with them.
function advancedOf(fields: readonly Field[], props: FormProps): Folded[] {
  return fields.flatMap((field) => {
    if (isAdvanced(field.name)) return [{field, path: field.name, name: prettyName(field.name)}];
    if (field.type !== 'map' || isAbsent(field, props.binding.value(field.name))) return [];
    return innerFields(field)
      .filter(({name}) => isAdvanced(name) && !props.hidden?.(`${field.name}.${name}`))
      .map((inner) => ({
        field: inner,
        path: `${field.name}.${inner.name}`,
        name: `${prettyName(field.name)}: ${prettyName(inner.name).toLowerCase()}`,
      }));
  });
}

function innerFields(field: Field): readonly Field[] {
  return TYPES[field.of as keyof typeof TYPES].fields as readonly Field[];
}

// The thing has none, and a partial change cannot give it one.
function isAbsent(field: Field, given: unknown): boolean {
  return field.partial === true && (given === null || given === undefined);
}

// Why a number is none that a field takes, with its limit.
export function refusalOf({min, max, exclusiveMin, type, unit}: Field, value: number): string | undefined {
  const words = (limit: number) => `${limit.toLocaleString('en-US')}${unit ? ` ${unit}` : ''}`;
  if (max !== undefined && value > max) return `At most ${words(max)}.`;
  if (min !== undefined && exclusiveMin && value <= min) return `More than ${words(min)}.`;
  if (min !== undefined && value < min) return `At least ${words(min)}.`;
  return type === 'u32' && !Number.isInteger(value) ? 'A whole number.' : undefined;
}

// A form of fields that are not a method's, but look the same. The server never sees them, so they are checked here.
export function FieldsForm({fields, ...props}: Omit<FormProps, 'method'> & {fields: readonly Field[]}) {
  return (
    <div class="form">
      {fields.map((field) => (
        <FieldControl key={field.name} {...props} refuse={refusalOf} field={field} path={field.name} />
      ))}
    </div>
  );
}

// A form of the fields of one map of a method, such as 'bend.plastic', without a section of its own.
export function PartForm({part, ...props}: Omit<FormProps, 'only' | 'except'> & {part: string}) {
  return (
    <div class="form">
      {partFields(props.method, part)
        .filter(({name}) => !props.hidden?.(`${part}.${name}`))
        .map((field) => (
          <FieldControl key={field.name} {...props} field={field} path={`${part}.${field.name}`} />
        ))}
    </div>
  );
}

function partFields(method: Method, part: string): readonly Field[] {
  return part.split('.').reduce<readonly Field[]>((fields, name) => {
    const field = fields.find((one) => one.name === name);
    return field?.type === 'map' ? innerFields(field) : [];
  }, METHODS[method].params);
}

interface ControlProps extends Omit<FormProps, 'method'> {
  method?: Method;
  field: Field;
  path: string;
}

// What stands where several things do not have the same value.
const MIXED = 'mixed';

function differ(values: readonly unknown[]): boolean {
  const [first] = values;
  return values.some((value) => value !== first && JSON.stringify(value) !== JSON.stringify(first));
}

// The components of vectors; undefined where they differ.
function shared(vectors: readonly (readonly number[] | undefined)[]): (number | undefined)[] | undefined {
  const [first] = vectors;
  return first?.map((value, axis) => (vectors.some((other) => other?.[axis] !== value) ? undefined : value));
}

const with1 = (vector: readonly number[], axis: number, value: number) =>
  vector.map((old, i) => (i === axis ? value : old));

function FieldControl(props: ControlProps) {
  const {field, path, binding} = props;
  const kind = props.kindOf?.(path);
  const name = props.names?.[path] ?? prettyName(field.name);
  const unit = props.units?.[path] ?? (prettyUnit(field.unit, kind) || undefined);
  const all = binding.each(path);
  const mixed = all.length > 1 && differ(all);
  const value = mixed ? undefined : (all[0] ?? (field.optional ? undefined : field.default));
  const disabled = useContext(FixedForms) || props.disabled || props.fixed?.(path);
  const invalid = binding.error(path) !== undefined;
  const note = <FieldNote binding={binding} path={path} />;
  const common = {
    doc: fieldDoc(field, props.method),
    disabled,
    invalid,
    note: invalid || binding.waits(path) ? note : undefined,
    placeholder: mixed ? MIXED : absentWord(field),
  };
  const give = (given: unknown) => binding.give(path, given);
  const onRefused = (words: string | undefined) => binding.hold?.(path, words !== undefined);
  const refuse = props.refuse && ((number: number) => props.refuse?.(field, number));
  const revert = () => binding.forget(path);

  switch (field.type) {
    case 'float':
    case 'u32':
    case 'u64':
    case 'number[]':
      return (
        <NumberField
          {...common}
          name={name}
          unit={unit}
          value={typeof value === 'number' ? value : undefined}
          scale={scaleOf(field, kind)}
          dim={isInactive(binding, path)}
          refuse={refuse}
          onRefused={onRefused}
          onGive={give}
          onEmpty={revert}
          onRevert={revert}
        />
      );
    case 'vec3':
      return (
        <VectorField
          {...common}
          name={name}
          unit={unit}
          value={
            mixed ? shared(all as readonly (readonly number[])[]) : (value as readonly number[] | undefined)
          }
          scale={vectorScale(field)}
          refuse={refuse}
          onRefused={onRefused}
          onGive={(next, axis) =>
            mixed ? binding.change(path, (own) => with1(own as number[], axis, next[axis] ?? 0)) : give(next)
          }
          onRevert={revert}
        />
      );
    case 'vec4':
      return (
        <VectorField
          {...common}
          name={name}
          unit="°"
          value={
            mixed
              ? shared((all as readonly (readonly number[])[]).map((turn) => anglesOf(turn)))
              : anglesOf(value as readonly number[] | undefined)
          }
          scale={{kind: 'linear', from: -180, to: 180, zero: true, integer: false}}
          onGive={(degrees, axis) =>
            mixed
              ? binding.change(path, (own) =>
                  quaternionOf(with1(anglesOf(own as number[]) ?? [], axis, degrees[axis] ?? 0)),
                )
              : give(quaternionOf(degrees))
          }
          onRevert={revert}
        />
      );
    case 'string':
      return (
        <TextField
          {...common}
          name={name}
          placeholder={mixed ? MIXED : undefined}
          value={typeof value === 'string' ? value : ''}
          onGive={give}
          onRevert={revert}
        />
      );
    case 'enum':
      return (
        <EnumControl
          {...common}
          label={name}
          field={field}
          value={value as string | undefined}
          mixed={mixed ? MIXED : undefined}
          there={props.method?.endsWith('.set') === true && typeof value === 'string'}
          onGive={give}
          onNone={revert}
        />
      );
    case 'bool':
      return (
        <>
          <Switch label={name} doc={common.doc} on={value === true} disabled={disabled} onGive={give} />
          {common.note && <div class="note">{common.note}</div>}
        </>
      );
    case 'map':
      return <MapControl {...props} name={name} />;
    default:
      return null;
  }
}

const SEGMENTS_LETTERS = 17;

function EnumControl(props: {
  label: string;
  doc: string;
  field: Field;
  value: string | undefined;
  disabled?: boolean;
  mixed?: string;
  there?: boolean;
  note?: ComponentChildren;
  onGive: (value: string) => void;
  onNone: () => void;
}) {
  const values = props.field.values ?? [];
  // What is there already is one of them: there is no way back to none.
  // A motor that is absent is none.
  const open = !props.field.required && props.field.default === undefined;
  const optional = open && !props.there && props.field.name !== 'motor';
  // What would not fit side by side is a list to choose from.
  const wide = values.length > 4 || values.join('').length > SEGMENTS_LETTERS;
  if (optional || wide || props.mixed !== undefined) {
    return (
      <ChoiceField {...props} values={values} none={props.mixed ?? (optional ? 'By itself' : undefined)} />
    );
  }
  return (
    <div class="field wide">
      <span class="name" data-tip={props.doc}>
        {props.label}
      </span>
      <Segments {...props} values={values} />
      {props.note && <div class="note">{props.note}</div>}
    </div>
  );
}

function MapControl(props: ControlProps & {name: string}) {
  const {field, path, binding} = props;
  if (isAbsent(field, binding.value(path))) return null;
  const fields = innerFields(field).filter((inner) => !isAdvanced(inner.name));
  return (
    <Section
      name={props.name}
      doc={fieldDoc(field, props.method)}
      open={props.open?.(path) ?? true}
      reveal={binding.refusal(path)}
    >
      {fields
        .filter((inner) => !props.hidden?.(`${path}.${inner.name}`))
        .map((inner) => (
          <FieldControl {...props} key={inner.name} field={inner} path={`${path}.${inner.name}`} />
        ))}
    </Section>
  );
}

export interface SectionProps {
  name: string;
  doc?: string;
  open?: boolean;
  // A refusal about a field inside opens it, each refusal again.
  reveal?: WeftError;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

// A part of a panel that can be folded away.
export function Section({name, doc, open: start = true, reveal, aside, children}: SectionProps) {
  const [open, setOpen] = useState(start || reveal !== undefined);
  useEffect(() => {
    if (reveal) setOpen(true);
  }, [reveal]);
  return (
    <section class="section">
      <div class="section-head">
        <button
          type="button"
          class="section-toggle"
          aria-expanded={open}
          data-tip={open ? undefined : doc}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'right'} />
          <span>{name}</span>
        </button>
        {aside}
      </div>
      {open && <div class="section-body">{children}</div>}
    </section>
  );
}

export function FieldNote({binding, path}: {binding: Binding; path: string}) {
  const error = binding.error(path);
  if (error !== undefined) {
    return (
      <span class="refused" role="alert">
        {error}
      </span>
    );
  }
  return binding.waits(path) ? <span class="waits">Will be sent when the connection is back.</span> : null;
}

// With a plain stiffness, compliance and damping are without effect; with a rigidity the compliance follows from it.
function isInactive(binding: Binding, path: string): boolean {
  const dot = path.lastIndexOf('.');
  if (!/(^|\.)(compliance|damping)$/.test(path) || dot < 0) return false;
  const given = (name: string) => typeof binding.value(`${path.slice(0, dot)}.${name}`) === 'number';
  return given('stiffness') || (path.endsWith('compliance') && (given('rigidity') || given('warp')));
}

// What an empty box stands for.
function absentWord(field: Field): string {
  if (['stiffness', 'limit', 'weld'].includes(field.name) || field.unit === 'N m') return 'off';
  if (field.name === 'rest') return 'as now';
  if (field.name === 'ambient') return 'air';
  return field.type === 'number[]' && field.name !== 'masses' ? '0' : 'default';
}

// The boxes of a vector have no slider; the scale is for their arrow keys.
function vectorScale(field: Field) {
  if (field.min === undefined || field.max === undefined)
    return {kind: 'linear', from: -5, to: 5, zero: true, integer: false} as const;
  return scaleOf(field) ?? null;
}
