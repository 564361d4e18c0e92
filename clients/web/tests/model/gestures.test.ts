import {describe, expect, it} from 'vitest';
import {Gestures} from '../../src/studio/model/gestures.js';

describe('gestures', () => {
  it('begin with each press, each key and each turn of the wheel', () => {
    const gestures = new Gestures();
    const page = new EventTarget();
    const off = gestures.watch(page);
    const tell = (type: string, fields: object = {}) => {
      const event = new Event(type);
      for (const [name, value] of Object.entries(fields)) Object.defineProperty(event, name, {value});
      page.dispatchEvent(event);
      return gestures.name;
    };
    expect(gestures.name).toBe('');
    expect(tell('pointerdown')).toBe('g1');
    expect(tell('pointermove')).toBe('g1');
    expect(tell('pointerup')).toBe('g1');
    expect(tell('keydown', {repeat: false})).toBe('g2');
    expect(tell('keydown', {repeat: true})).toBe('g2');
    expect(tell('focusout')).toBe('g2');
    expect(tell('wheel', {timeStamp: 1000})).toBe('g3');
    expect(tell('wheel', {timeStamp: 1400})).toBe('g3');
    expect(tell('wheel', {timeStamp: 1901})).toBe('g4');
    off();
    expect(tell('pointerdown')).toBe('g4');
  });
});
