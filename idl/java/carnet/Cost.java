package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** It does up to so many bytes of work as a parameter says, or has. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Cost {
    /**
     * The parameter.
     *
     * @return its name in the interface file
     */
    String bytes();
}
